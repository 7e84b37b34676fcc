use std::collections::BTreeMap;
use std::mem::offset_of;

use duolife::engine::gpu::layout::{
    self, Binding, CensusParams, PROGRAMS, Program, StepParams, Tally, ViewParams,
};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, Module, StorageAccess, TypeInner};

fn parsed(program: &Program) -> Module {
    let wgsl = program.wgsl();
    let module = naga::front::wgsl::parse_str(&wgsl)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&wgsl)));
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&wgsl)));
    module
}

/// Name, offset of every member, and size of a struct.
fn structure(module: &Module, name: &str) -> (Vec<(String, usize)>, usize) {
    let (_, found) = module
        .types
        .iter()
        .find(|(_, found)| found.name.as_deref() == Some(name))
        .unwrap_or_else(|| panic!("no struct {name}"));
    let TypeInner::Struct { members, span } = &found.inner else {
        panic!("{name} is no struct");
    };
    let members = members
        .iter()
        .map(|member| (member.name.clone().unwrap(), member.offset as usize))
        .collect();
    (members, *span as usize)
}

#[test]
fn every_program_is_valid_and_has_the_entry_point_and_workgroup_the_host_expects() {
    assert!(!PROGRAMS.is_empty());
    for program in PROGRAMS {
        let module = parsed(program);
        let [entry] = &module.entry_points[..] else {
            panic!("{}: one entry point a program", program.entry_point);
        };
        assert_eq!(entry.name, program.entry_point);
        assert_eq!(entry.workgroup_size, [program.workgroup, 1, 1]);
    }
}

#[test]
fn bindings_agree() {
    for program in PROGRAMS {
        let module = parsed(program);
        let mut found = BTreeMap::new();
        for (_, variable) in module.global_variables.iter() {
            let Some(binding) = variable.binding else {
                continue;
            };
            assert_eq!(binding.group, 0);
            let kind = match variable.space {
                AddressSpace::Uniform => "uniform",
                AddressSpace::Storage { access } if access.contains(StorageAccess::STORE) => {
                    "write"
                }
                AddressSpace::Storage { .. } => "read",
                other => panic!("{other:?}"),
            };
            let twice = found.insert(binding.binding as usize, kind);
            assert_eq!(twice, None, "binding {} twice", binding.binding);
        }
        let expected: BTreeMap<usize, &str> = program
            .bindings
            .iter()
            .map(|binding| match binding {
                Binding::Uniform => "uniform",
                Binding::Read => "read",
                Binding::Write | Binding::WriteAtOffset => "write",
            })
            .enumerate()
            .collect();
        assert_eq!(found, expected, "{}", program.entry_point);
        assert_eq!(program.bindings[layout::PARAMS], Binding::Uniform);
    }
}

#[test]
fn overrides_agree() {
    for program in PROGRAMS {
        let module = parsed(program);
        let mut found: Vec<&str> = module
            .overrides
            .iter()
            .map(|(_, constant)| constant.name.as_deref().unwrap())
            .collect();
        let mut expected = program.overrides.to_vec();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{}", program.entry_point);
    }
}

#[test]
fn uniform_structs_have_the_same_members_at_the_same_offsets() {
    let expected = [
        ("width", offset_of!(StepParams, width)),
        ("height", offset_of!(StepParams, height)),
        ("row_words", offset_of!(StepParams, row_words)),
        ("strip_rows", offset_of!(StepParams, strip_rows)),
        ("strips", offset_of!(StepParams, strips)),
        ("seed_low", offset_of!(StepParams, seed_low)),
        ("seed_high", offset_of!(StepParams, seed_high)),
        ("padding", offset_of!(StepParams, padding)),
    ]
    .map(|(name, offset)| (name.to_owned(), offset));
    for program in [&layout::STEP, &layout::WATCH] {
        let step = structure(&parsed(program), "StepParams");
        assert_eq!(step, (expected.to_vec(), program.params_bytes));
    }

    let (members, size) = structure(&parsed(&layout::CENSUS), "CensusParams");
    assert_eq!(
        members[0],
        ("words".into(), offset_of!(CensusParams, words))
    );
    assert_eq!(members[1].1, offset_of!(CensusParams, padding));
    assert_eq!(size, layout::CENSUS.params_bytes);

    let expected = [
        ("width", offset_of!(ViewParams, width)),
        ("height", offset_of!(ViewParams, height)),
        ("row_words", offset_of!(ViewParams, row_words)),
        ("stride", offset_of!(ViewParams, stride)),
        ("columns", offset_of!(ViewParams, columns)),
        ("rows", offset_of!(ViewParams, rows)),
        ("origin_x", offset_of!(ViewParams, origin_x)),
        ("origin_y", offset_of!(ViewParams, origin_y)),
        ("scale", offset_of!(ViewParams, scale)),
        ("flags", offset_of!(ViewParams, flags)),
        ("dead", offset_of!(ViewParams, dead)),
        ("red", offset_of!(ViewParams, red)),
        ("blue", offset_of!(ViewParams, blue)),
        ("outside", offset_of!(ViewParams, outside)),
        ("line", offset_of!(ViewParams, line)),
        ("lanes", offset_of!(ViewParams, lanes)),
    ]
    .map(|(name, offset)| (name.to_owned(), offset));
    for program in [&layout::ENLARGE, &layout::MINIFY] {
        let view = structure(&parsed(program), "ViewParams");
        assert_eq!(view, (expected.to_vec(), program.params_bytes));
    }

    let expected = [
        ("alive_low", offset_of!(Tally, alive)),
        ("alive_high", offset_of!(Tally, alive) + 4),
        ("blue_low", offset_of!(Tally, blue)),
        ("blue_high", offset_of!(Tally, blue) + 4),
        ("differs_from_last", offset_of!(Tally, differs_from_last)),
        (
            "differs_from_second_last",
            offset_of!(Tally, differs_from_second_last),
        ),
    ]
    .map(|(name, offset)| (name.to_owned(), offset));
    for program in [&layout::CENSUS, &layout::WATCH] {
        let tally = structure(&parsed(program), "Tally");
        assert_eq!(tally, (expected.to_vec(), size_of::<Tally>()));
    }
    let (tallies, _) = structure(&parsed(&layout::WATCH), "Step");
    let expected = [("last", 0), ("next", layout::TALLY_STRIDE as usize)]
        .map(|(name, offset)| (name.to_owned(), offset));
    assert_eq!(tallies, expected);
}

#[test]
fn constants_agree() {
    let wgsl = layout::STEP.wgsl();
    for (name, value) in [
        ("TIES_SEEDED", layout::TIES_SEEDED),
        ("TIES_RED", layout::TIES_RED),
        ("TIES_BLUE", layout::TIES_BLUE),
        ("TIES_CHECKERBOARD", layout::TIES_CHECKERBOARD),
        ("STEP_WORKGROUP", layout::STEP.workgroup),
    ] {
        let line = format!("const {name}: u32 = {value}u;");
        assert!(wgsl.contains(&line), "{line}");
    }
    for (program, line) in [
        (
            &layout::CENSUS,
            format!(
                "const CENSUS_WORKGROUP: u32 = {}u;",
                layout::CENSUS.workgroup
            ),
        ),
        (
            &layout::WATCH,
            format!("const WATCH_WORKGROUP: u32 = {}u;", layout::WATCH.workgroup),
        ),
        (
            &layout::WATCH,
            format!("const TALLY_STRIDE: u32 = {}u;", layout::TALLY_STRIDE),
        ),
        (
            &layout::ENLARGE,
            format!(
                "const ENLARGE_WORKGROUP: u32 = {}u;",
                layout::ENLARGE.workgroup
            ),
        ),
        (
            &layout::MINIFY,
            format!(
                "const MINIFY_WORKGROUP: u32 = {}u;",
                layout::MINIFY.workgroup
            ),
        ),
        (
            &layout::ENLARGE,
            format!("const VIEW_TORUS: u32 = {}u;", layout::VIEW_TORUS),
        ),
        (
            &layout::ENLARGE,
            format!("const VIEW_LINES: u32 = {}u;", layout::VIEW_LINES),
        ),
        (
            &layout::MINIFY,
            format!("const VIEW_ANY: u32 = {}u;", layout::VIEW_ANY),
        ),
    ] {
        assert!(program.wgsl().contains(&line), "{line}");
    }
}

/// Shader and mirror have the same functions, so that they can be read side by side.
#[test]
fn circuits_have_the_same_names_on_both_sides() {
    let mirrors = [
        (
            include_str!("../shaders/lifelike.wgsl"),
            include_str!("../src/rules/lifelike.rs"),
            &[
                "mux",
                "majority_of_three",
                "row_sum",
                "block_count",
                "all_if",
                "outcome",
                "next_alive",
                "majority",
            ][..],
        ),
        (
            include_str!("../shaders/ties.wgsl"),
            include_str!("../src/rules/ties.rs"),
            &["ask", "first_blue", "checkerboard_blue"][..],
        ),
        (
            include_str!("../shaders/minify.wgsl"),
            include_str!("../src/render/average.rs"),
            &["averaged_colour"][..],
        ),
    ];
    for (shader, mirror, functions) in mirrors {
        let places = |text: &str| -> Vec<usize> {
            functions
                .iter()
                .map(|name| {
                    text.find(&format!("fn {name}("))
                        .unwrap_or_else(|| panic!("fn {name} is missing"))
                })
                .collect()
        };
        assert!(places(shader).is_sorted(), "the shader's order differs");
        assert!(places(mirror).is_sorted(), "the mirror's order differs");
    }
}
