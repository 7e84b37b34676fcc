mod mirror;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use duolife::engine::gpu::family::{self, lifelike};
use duolife::engine::gpu::kernels::active_blocks::{ACTIVE_BLOCKS, list_bytes};
use duolife::engine::gpu::kernels::arena::{
    ARENA, ARENA_SUBGROUPS, ARENA_WORDS, ArenaGame, ArenaGameState,
};
use duolife::engine::gpu::kernels::roofline::{FUNCTIONS, ROOFLINE};
use duolife::engine::gpu::kernels::single_workgroup::{MAX_STRIP_ROWS, MAX_WORDS};
use duolife::engine::gpu::kernels::stats::{STATS_STRIDE, StatsFlags};
use duolife::engine::gpu::program::{Binding, Form, Program, Structure};
use duolife::engine::gpu::programs as engine_programs;
use duolife::engine::gpu::wgsl::FILES;
use duolife::render::renderer::blit::BLIT;
use duolife::render::renderer::view::{self, programs as view_programs};
use duolife::rules::FAMILIES;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, Module, ShaderStage, StorageAccess, TypeInner};

/// Name and offset of every member of a struct, and its size.
type Members = (Vec<(String, usize)>, usize);

/// Every compute program of the crate.
fn programs() -> Vec<&'static Program> {
    let all: Vec<_> = engine_programs().chain(view_programs()).collect();
    assert!(!all.is_empty());
    all
}

/// The text of the folded form.
fn text(program: &Program) -> String {
    text_in(program, Form::Folded)
}

fn text_in(program: &Program, form: Form) -> String {
    let assembly = program.wgsl(form);
    assembly
        .unwrap_or_else(|error| panic!("{}: {error}", program.name))
        .text
}

/// The folded form.
fn parsed(program: &Program) -> Module {
    parsed_in(program, Form::Folded)
}

fn parsed_in(program: &Program, form: Form) -> Module {
    valid(
        program.name,
        &text_in(program, form),
        Capabilities::SUBGROUP,
    )
}

/// Every form of every program.
fn forms() -> impl Iterator<Item = (&'static Program, Form)> {
    let programs = programs().into_iter();
    programs.flat_map(|program| program.forms().iter().map(move |&form| (program, form)))
}

fn valid(name: &str, wgsl: &str, capabilities: Capabilities) -> Module {
    let module = naga::front::wgsl::parse_str(wgsl)
        .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(wgsl)));
    Validator::new(ValidationFlags::all(), capabilities)
        .validate(&module)
        .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(wgsl)));
    module
}

/// A struct of a shader.
fn members(module: &Module, name: &str) -> Members {
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

/// Members as a test expects them.
fn named(members: &[(&str, usize)]) -> Vec<(String, usize)> {
    let members = members.iter();
    members
        .map(|(name, offset)| ((*name).to_owned(), *offset))
        .collect()
}

/// Compares a struct of a shader with the host's: name, offset and size of every field, and its size.
fn assert_same(module: &Module, structure: &Structure) {
    let name = structure.name;
    let (_, found) = module
        .types
        .iter()
        .find(|(_, found)| found.name.as_deref() == Some(name))
        .unwrap_or_else(|| panic!("no struct {name}"));
    let TypeInner::Struct { members, span } = &found.inner else {
        panic!("{name} is no struct");
    };
    let found: Vec<(&str, usize, usize)> = members
        .iter()
        .map(|member| {
            let size = module.types[member.ty].inner.size(module.to_ctx());
            let name = member.name.as_deref().unwrap();
            (name, member.offset as usize, size as usize)
        })
        .collect();
    let expected: Vec<(&str, usize, usize)> = structure
        .fields
        .iter()
        .map(|field| (field.name, field.offset, field.size))
        .collect();
    assert!(!expected.is_empty());
    assert_eq!(found, expected, "{name}");
    assert_eq!(*span as usize, structure.size, "{name}");
}

#[test]
fn every_program_is_valid_and_has_the_entry_point_and_workgroup_the_host_expects() {
    for (program, form) in forms() {
        let module = parsed_in(program, form);
        let [entry] = &module.entry_points[..] else {
            panic!("{}: one entry point per program", program.name);
        };
        assert_eq!(entry.name, program.entry_point);
        assert_eq!(entry.workgroup_size, [program.workgroup, 1, 1]);
        assert_const(program, "WORKGROUP_SIZE", program.workgroup.into());
    }
}

#[test]
fn the_render_program_is_valid_and_has_the_entry_points_the_host_expects() {
    let wgsl = BLIT.wgsl().unwrap().text;
    let module = valid(BLIT.name, &wgsl, Capabilities::empty());
    let entries: Vec<_> = module
        .entry_points
        .iter()
        .map(|entry| (entry.name.as_str(), entry.stage))
        .collect();
    let expected = [
        (BLIT.vertex, ShaderStage::Vertex),
        (BLIT.fragment, ShaderStage::Fragment),
    ];
    assert_eq!(entries, expected);
    let bindings: Vec<_> = module
        .global_variables
        .iter()
        .filter_map(|(_, variable)| variable.binding.as_ref())
        .map(|binding| (binding.group, binding.binding))
        .collect();
    assert_eq!(bindings, [(0, 0)]);
}

/// Every line of every file is part of a program, so that nothing lies there unchecked.
#[test]
fn every_shader_line_is_part_of_a_program() {
    let mut lines = BTreeSet::new();
    let assemblies = forms().map(|(program, form)| program.wgsl(form));
    for assembly in assemblies.chain([BLIT.wgsl()]) {
        for place in assembly.unwrap().origins {
            lines.insert((place.stem, place.line));
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let mut stems = shader_stems(&folder, "");
    stems.sort_unstable();
    let known: Vec<&str> = FILES.iter().map(|(stem, _)| *stem).collect();
    assert_eq!(
        stems, known,
        "the list of files, sorted, is that of the folder"
    );
    assert!(!stems.is_empty());
    for (stem, text) in FILES {
        for (line, content) in (1..).zip(text.lines()) {
            let is_directive = content.trim_start().starts_with('#');
            let is_used = is_directive || lines.contains(&((*stem).to_owned(), line));
            assert!(is_used, "shaders/{stem}.wgsl:{line} is part of no program");
        }
    }
}

/// Stems of the shader files in a folder and in those in it.
fn shader_stems(folder: &Path, prefix: &str) -> Vec<String> {
    let mut stems = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        match path.is_dir() {
            true => stems.extend(shader_stems(&path, &format!("{prefix}{stem}/"))),
            false => stems.push(format!("{prefix}{stem}")),
        }
    }
    stems
}

#[test]
fn bindings_and_uniforms_agree() {
    for (program, form) in forms() {
        let module = parsed_in(program, form);
        let mut found = BTreeMap::new();
        for (_, variable) in module.global_variables.iter() {
            let Some(binding) = variable.binding else {
                continue;
            };
            assert_eq!(binding.group, 0);
            let kind = match variable.space {
                AddressSpace::Uniform => {
                    let name = module.types[variable.ty].name.as_deref();
                    format!("uniform {}", name.unwrap())
                }
                AddressSpace::Storage { access } if access.contains(StorageAccess::STORE) => {
                    "write".to_owned()
                }
                AddressSpace::Storage { .. } => "read".to_owned(),
                other => panic!("{other:?}"),
            };
            let twice = found.insert(binding.binding as usize, kind);
            assert_eq!(twice, None, "binding {} twice", binding.binding);
        }
        let expected: BTreeMap<usize, String> = program
            .bindings
            .iter()
            .map(|binding| match binding {
                Binding::Uniform(structure) => format!("uniform {}", structure.name),
                Binding::Read => "read".to_owned(),
                Binding::Write | Binding::WriteAtOffset => "write".to_owned(),
            })
            .enumerate()
            .collect();
        assert_eq!(found, expected, "{}", program.name);
        let mut uniforms = 0;
        for binding in program.bindings {
            if let Binding::Uniform(structure) = binding {
                assert_same(&module, structure);
                uniforms += 1;
            }
        }
        assert!(uniforms > 0, "{}", program.name);
    }
}

#[test]
fn overrides_agree() {
    for (program, form) in forms() {
        let module = parsed_in(program, form);
        let mut found: Vec<&str> = module
            .overrides
            .iter()
            .map(|(_, constant)| constant.name.as_deref().unwrap())
            .collect();
        let mut expected = program.overrides_in(form).to_vec();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{}", program.name);
    }
}

#[test]
fn statistics_agree() {
    let stride = STATS_STRIDE as usize;
    let total = (named(&[("low", 0), ("high", 4)]), 8);
    for family in &family::FAMILIES {
        let (family, stats_passes) = (family.step, family.stats_passes);
        // Totals, then the flags.
        let totals = family.totals_bytes();
        let mut expected = named(&[("totals", 0)]);
        for field in StatsFlags::STRUCTURE.fields {
            expected.push((field.name.to_owned(), totals + field.offset));
        }
        let expected = (expected, family.stats_bytes());
        assert!(family.stats_bytes() <= stride);
        for program in [
            &family.step_with_stats,
            &family.step_with_stats_subgroups,
            &family.census,
        ] {
            let module = parsed(program);
            let found = members(&module, "GenerationStats");
            assert_eq!(found, expected, "{}", program.name);
            let (last_and_next, _) = members(&module, "StepStats");
            assert_eq!(last_and_next, named(&[("last", 0), ("next", stride)]));
            assert_eq!(members(&module, "Total"), total);
        }
        for pass in stats_passes {
            let module = parsed(&pass.program);
            let found = members(&module, "GenerationStats");
            assert_eq!(found, expected, "{}", pass.program.name);
            assert_eq!(members(&module, "Total"), total);
            // Those of the first generation, and then of every other one, a stride apart.
            let spaced = (named(&[("stats", 0)]), stride);
            assert_eq!(members(&module, "Spaced"), spaced);
            let (last_and_next, bytes) = members(&module, "PassStats");
            assert_eq!(last_and_next, named(&[("last", 0), ("next", stride)]));
            assert_eq!(bytes, pass.generations as usize * stride);
        }
    }
}

#[test]
fn lists_and_games_agree() {
    let list = named(&[("count", 0), ("blocks", list_bytes(0) as usize)]);
    let mut lists = vec![&ACTIVE_BLOCKS];
    for family in &family::FAMILIES {
        lists.extend(family.passes.iter().map(|pass| &pass.program));
    }
    for program in lists {
        let (found, _) = members(&parsed(program), "ActiveBlocks");
        assert_eq!(found, list, "{}", program.name);
    }
    for program in [&ARENA, &ARENA_SUBGROUPS] {
        let module = parsed(program);
        assert_same(&module, &ArenaGame::STRUCTURE);
        assert_same(&module, &ArenaGameState::STRUCTURE);
    }
}

fn assert_const(program: &Program, name: &str, value: u64) {
    let line = format!("const {name}: u32 = {value}u;");
    assert!(text(program).contains(&line), "{}: {line}", program.name);
}

#[test]
fn constants_agree() {
    for (name, value) in [
        ("TIES_SEEDED", lifelike::TIES_SEEDED),
        ("TIES_RED", lifelike::TIES_RED),
        ("TIES_BLUE", lifelike::TIES_BLUE),
        ("TIES_CHECKERBOARD", lifelike::TIES_CHECKERBOARD),
    ] {
        assert_const(&lifelike::STEP_PROGRAMS.step, name, value.into());
    }
    // Each function has a line of its own in the loop.
    let wgsl = text(&ROOFLINE);
    let (_, body) = wgsl.split_once("round++) {").unwrap();
    let (body, _) = body.split_once('}').unwrap();
    assert_eq!(body.matches(';').count() as u32, FUNCTIONS);
    for program in view_programs() {
        assert_const(program, "VIEW_TORUS", view::VIEW_TORUS.into());
        assert_const(program, "VIEW_LINES", view::VIEW_LINES.into());
        assert_const(program, "VIEW_ANY", view::VIEW_ANY.into());
    }
    for family in &family::FAMILIES {
        let (passes, stats_passes) = (family.passes, family.stats_passes);
        if let Some(single) = family.single_workgroup {
            assert_const(single, "MAX_WORDS", MAX_WORDS.into());
            assert_const(single, "MAX_STRIP_ROWS", MAX_STRIP_ROWS.into());
            assert!(single.bindings.starts_with(family.step.step.bindings));
            assert_eq!(single.overrides, family.step.step.overrides);
        }
        let family = family.step;
        for program in [
            &family.step_with_stats,
            &family.step_with_stats_subgroups,
            &family.census,
        ] {
            assert_const(program, "STATS_STRIDE", STATS_STRIDE);
            assert_const(program, "TOTALS", family.totals as u64);
            // One group of bindings serves all of them, and one grid of strips.
            assert_eq!(program.bindings, family.step_with_stats.bindings);
            assert_eq!(program.workgroup, family.step.workgroup);
        }
        for pass in passes.iter().chain(stats_passes) {
            let program = &pass.program;
            assert_const(program, "GENERATIONS", pass.generations.into());
            let (name, words) = match pass.subgroups {
                true => ("THREAD_WORDS", pass.thread_words),
                false => ("OWN_WORDS", pass.own_words),
            };
            assert_const(program, name, words.into());
            // The planes are bound alike.
            assert!(program.bindings[1..].starts_with(&family.step.bindings[1..]));
            // Passes with and without statistics have their constants in common.
            assert_eq!(program.overrides, passes[0].program.overrides);
        }
        for pass in stats_passes {
            assert_const(&pass.program, "STATS_STRIDE", STATS_STRIDE);
            assert_const(&pass.program, "TOTALS", family.totals as u64);
        }
    }
    assert_const(&ARENA, "ARENA_WORDS", ARENA_WORDS as u64);
    let cells = format!("var<workgroup> cells: array<u32, {}>;", 4 * ARENA_WORDS);
    assert!(text(&ARENA).contains(&cells), "{cells}");
}

/// A family is one shader, one mirror and one corpus, all of one stem.
#[test]
fn every_family_has_its_files() {
    assert!(
        family::FAMILIES
            .iter()
            .map(|programs| programs.family)
            .eq(FAMILIES)
    );
    for family in FAMILIES {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let stem = family.stem();
        for file in [
            format!("src/rules/{stem}.rs"),
            format!("shaders/{stem}.wgsl"),
            format!("shaders/view/{stem}.wgsl"),
            format!("src/engine/gpu/family/{stem}.rs"),
            format!("tests/cases/{stem}.toml"),
        ] {
            assert!(root.join(&file).is_file(), "{file} is missing");
        }
        let mut programs = engine_programs();
        let step = format!("{stem}/step");
        assert!(programs.any(|program| program.file == step), "{step}");
    }
    // Passes are an extra, in a file of their own.
    for family in &family::FAMILIES {
        let pass = format!("{}/pass", family.family.stem());
        let mut passes = family.passes.iter().chain(family.stats_passes);
        assert!(passes.all(|program| program.program.file == pass), "{pass}");
    }
    let names: BTreeSet<_> = programs().iter().map(|program| program.name).collect();
    assert_eq!(names.len(), programs().len(), "names are unique");
}

/// The pictures of shader and mirror have the same functions, so that they can be read side by side.
#[test]
fn pictures_have_the_same_names_on_both_sides() {
    let mirrors = [
        (
            include_str!("../shaders/view/lifelike.wgsl"),
            include_str!("../src/render/average.rs"),
            &["averaged_colour"][..],
        ),
        (
            include_str!("../shaders/view/rezolution.wgsl"),
            include_str!("../src/render/rezolution.rs"),
            &["brightness", "cell_colour", "weight"][..],
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
