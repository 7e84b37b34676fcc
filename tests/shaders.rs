use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;
use std::path::Path;

use duolife::engine::gpu::layout::{
    self, ACTIVE, ActiveParams, ArenaFate, ArenaGame, ArenaParams, Binding, LIFELIKE,
    LIFELIKE_STREAMS, LIFELIKE_WATCHED_STREAMS, LogicParams, Marks, PROGRAMS, PopulationParams,
    Program, REZOLUTION, REZOLUTION_STREAMS, REZOLUTION_WATCHED_STREAMS, StepParams, StreamParams,
    ViewParams,
};
use duolife::engine::gpu::wgsl::FILES;
use duolife::rules::FAMILIES;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, Module, ShaderStage, StorageAccess, TypeInner};

/// The programs that draw boards.
const PICTURES: [&Program; 4] = [
    &layout::CELL_PICTURES.enlarge,
    &layout::CELL_PICTURES.minify,
    &layout::POPULATION_PICTURES.enlarge,
    &layout::POPULATION_PICTURES.minify,
];

fn parsed(program: &Program) -> Module {
    let wgsl = program.wgsl().unwrap().text;
    let module = naga::front::wgsl::parse_str(&wgsl)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&wgsl)));
    Validator::new(ValidationFlags::all(), Capabilities::SUBGROUP)
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
            panic!("{}: one entry point a program", program.name);
        };
        assert_eq!(entry.name, program.entry_point);
        assert_eq!(entry.workgroup_size, [program.workgroup, 1, 1]);
    }
}

#[test]
fn the_render_program_is_valid_and_has_the_entry_points_the_host_expects() {
    let blit = &layout::BLIT;
    let wgsl = blit.wgsl().unwrap().text;
    let module = naga::front::wgsl::parse_str(&wgsl)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&wgsl)));
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&wgsl)));
    let entries: Vec<_> = module
        .entry_points
        .iter()
        .map(|entry| (entry.name.as_str(), entry.stage))
        .collect();
    let expected = [
        (blit.vertex, ShaderStage::Vertex),
        (blit.fragment, ShaderStage::Fragment),
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
    let programs = PROGRAMS.iter().map(|program| program.wgsl());
    for assembly in programs.chain([layout::BLIT.wgsl()]) {
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
        assert_eq!(found, expected, "{}", program.name);
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
        assert_eq!(found, expected, "{}", program.name);
    }
}

#[test]
fn uniform_structs_have_the_same_members_at_the_same_offsets() {
    let named = |members: &[(&str, usize)]| -> Vec<(String, usize)> {
        let members = members.iter();
        members
            .map(|(name, offset)| ((*name).to_owned(), *offset))
            .collect()
    };
    let step = named(&[
        ("width", offset_of!(StepParams, width)),
        ("height", offset_of!(StepParams, height)),
        ("row_words", offset_of!(StepParams, row_words)),
        ("strip_rows", offset_of!(StepParams, strip_rows)),
        ("first_thread", offset_of!(StepParams, first_thread)),
        ("end_thread", offset_of!(StepParams, end_thread)),
        ("seed_low", offset_of!(StepParams, seed_low)),
        ("seed_high", offset_of!(StepParams, seed_high)),
        ("board_height", offset_of!(StepParams, board_height)),
        ("first_row", offset_of!(StepParams, first_row)),
        ("first_own", offset_of!(StepParams, first_own)),
        ("end_own", offset_of!(StepParams, end_own)),
    ]);
    let population = named(&[
        ("width", offset_of!(PopulationParams, width)),
        ("height", offset_of!(PopulationParams, height)),
        ("row_groups", offset_of!(PopulationParams, row_groups)),
        ("mark_words", offset_of!(PopulationParams, mark_words)),
        ("strip_rows", offset_of!(PopulationParams, strip_rows)),
        ("first_thread", offset_of!(PopulationParams, first_thread)),
        ("end_thread", offset_of!(PopulationParams, end_thread)),
        ("first_own", offset_of!(PopulationParams, first_own)),
        ("end_own", offset_of!(PopulationParams, end_own)),
        ("padding_0", offset_of!(PopulationParams, padding)),
        ("padding_1", offset_of!(PopulationParams, padding) + 4),
        ("padding_2", offset_of!(PopulationParams, padding) + 8),
    ]);
    for (family, name, expected) in [
        (&LIFELIKE, "LifelikeStepParams", step),
        (&REZOLUTION, "RezolutionStepParams", population),
    ] {
        for program in [
            &family.step,
            &family.watch,
            &family.watch_subgroups,
            &family.census,
        ] {
            let found = structure(&parsed(program), name);
            assert_eq!(found, (expected.clone(), program.params_bytes));
        }
        for program in [&family.watch, &family.watch_subgroups, &family.census] {
            let module = parsed(program);
            let totals = family.totals_bytes();
            let expected = named(&[
                ("totals", 0),
                ("computed", totals + offset_of!(Marks, computed)),
                (
                    "differs_from_last",
                    totals + offset_of!(Marks, differs_from_last),
                ),
                (
                    "differs_from_second_last",
                    totals + offset_of!(Marks, differs_from_second_last),
                ),
            ]);
            let tally = structure(&module, "GenerationStats");
            assert_eq!(tally, (expected, family.tally_bytes()), "{}", program.name);
            let stride = layout::TALLY_STRIDE as usize;
            assert!(family.tally_bytes() <= stride);
            let (tallies, _) = structure(&module, "StepStats");
            assert_eq!(tallies, named(&[("last", 0), ("next", stride)]));
            let total = structure(&module, "Total");
            assert_eq!(total, (named(&[("low", 0), ("high", 4)]), 8));
        }
    }

    let expected = named(&[
        ("width", offset_of!(StreamParams, width)),
        ("height", offset_of!(StreamParams, height)),
        ("row_words", offset_of!(StreamParams, row_words)),
        ("columns", offset_of!(StreamParams, columns)),
        ("strip_rows", offset_of!(StreamParams, strip_rows)),
        ("block_rows", offset_of!(StreamParams, block_rows)),
        ("reach", offset_of!(StreamParams, reach)),
        ("only_active", offset_of!(StreamParams, only_active)),
        ("tile_threads", offset_of!(StreamParams, tile_threads)),
        ("seed_low", offset_of!(StreamParams, seed_low)),
        ("seed_high", offset_of!(StreamParams, seed_high)),
        ("until_settled", offset_of!(StreamParams, until_settled)),
        ("board_height", offset_of!(StreamParams, board_height)),
        ("first_row", offset_of!(StreamParams, first_row)),
        ("first_own", offset_of!(StreamParams, first_own)),
        ("end_own", offset_of!(StreamParams, end_own)),
    ]);
    let list = |blocks: u64| layout::list_bytes(blocks) as usize;
    for stream in LIFELIKE_STREAMS.iter().chain(&REZOLUTION_STREAMS) {
        let module = parsed(&stream.program);
        let found = structure(&module, "PassParams");
        assert_eq!(found, (expected.clone(), stream.program.params_bytes));
        let (members, _) = structure(&module, "ActiveBlocks");
        assert_eq!(members, named(&[("count", 0), ("blocks", list(0))]));
    }
    let cells = LIFELIKE_WATCHED_STREAMS
        .iter()
        .map(|stream| (&LIFELIKE, stream));
    let populations = REZOLUTION_WATCHED_STREAMS
        .iter()
        .map(|stream| (&REZOLUTION, stream));
    for (family, stream) in cells.chain(populations) {
        let module = parsed(&stream.program);
        let found = structure(&module, "PassParams");
        assert_eq!(found, (expected.clone(), stream.program.params_bytes));
        // One of them is bound, and then as many as there are generations, one stride apart.
        let tally = structure(&module, "GenerationStats");
        assert_eq!(tally, structure(&parsed(&family.watch), "GenerationStats"));
        let stride = layout::TALLY_STRIDE as usize;
        assert_eq!(
            structure(&module, "Spaced"),
            (named(&[("stats", 0)]), stride)
        );
        let (tallies, bytes) = structure(&module, "PassStats");
        assert_eq!(tallies, named(&[("last", 0), ("next", stride)]));
        assert_eq!(bytes, stream.generations as usize * stride);
    }
    let expected = named(&[
        ("width", offset_of!(ActiveParams, width)),
        ("height", offset_of!(ActiveParams, height)),
        ("block_cells", offset_of!(ActiveParams, block_cells)),
        ("block_rows", offset_of!(ActiveParams, block_rows)),
        ("columns", offset_of!(ActiveParams, columns)),
        ("rows", offset_of!(ActiveParams, rows)),
        ("reach", offset_of!(ActiveParams, reach)),
        ("torus", offset_of!(ActiveParams, torus)),
        ("known", offset_of!(ActiveParams, known)),
        ("copied", offset_of!(ActiveParams, copied)),
        ("first_own", offset_of!(ActiveParams, first_own)),
        ("end_own", offset_of!(ActiveParams, end_own)),
    ]);
    let module = parsed(&ACTIVE);
    let found = structure(&module, "ActiveBlocksParams");
    assert_eq!(found, (expected, ACTIVE.params_bytes));
    let (members, _) = structure(&module, "ActiveBlocks");
    assert_eq!(members, named(&[("count", 0), ("blocks", list(0))]));

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
        ("barrier_colour", offset_of!(ViewParams, barrier_colour)),
        ("target_colour", offset_of!(ViewParams, target_colour)),
        ("first_row", offset_of!(ViewParams, first_row)),
        ("padding", offset_of!(ViewParams, padding)),
    ]
    .map(|(name, offset)| (name.to_owned(), offset));
    for program in PICTURES {
        let view = structure(&parsed(program), "ViewParams");
        assert_eq!(view, (expected.to_vec(), program.params_bytes));
    }

    let expected = [
        ("rounds", offset_of!(LogicParams, rounds)),
        ("seed", offset_of!(LogicParams, seed)),
    ]
    .map(|(name, offset)| (name.to_owned(), offset));
    let found = structure(&parsed(&layout::LOGIC), "RooflineParams");
    assert_eq!(found, (expected.to_vec(), layout::LOGIC.params_bytes));

    let expected = [
        ("games", offset_of!(ArenaParams, games)),
        ("generations", offset_of!(ArenaParams, generations)),
        ("groups_x", offset_of!(ArenaParams, groups_x)),
        ("padding", offset_of!(ArenaParams, padding)),
    ]
    .map(|(name, offset)| (name.to_owned(), offset));
    for program in [&layout::ARENA, &layout::ARENA_SUBGROUPS] {
        let found = structure(&parsed(program), "ArenaParams");
        assert_eq!(found, (expected.to_vec(), program.params_bytes));
    }
    let arena = parsed(&layout::ARENA);
    let expected = [
        ("width", offset_of!(ArenaGame, width)),
        ("height", offset_of!(ArenaGame, height)),
        ("row_words", offset_of!(ArenaGame, row_words)),
        ("first_word", offset_of!(ArenaGame, first_word)),
        ("limit", offset_of!(ArenaGame, limit)),
        ("seed_low", offset_of!(ArenaGame, seed_low)),
        ("seed_high", offset_of!(ArenaGame, seed_high)),
        ("padding", offset_of!(ArenaGame, padding)),
    ]
    .map(|(name, offset)| (name.to_owned(), offset));
    let found = structure(&arena, "ArenaGame");
    assert_eq!(found, (expected.to_vec(), size_of::<ArenaGame>()));
    let expected = [
        ("generation", offset_of!(ArenaFate, generation)),
        ("over", offset_of!(ArenaFate, over)),
        ("decided", offset_of!(ArenaFate, decided)),
        ("decided_period", offset_of!(ArenaFate, decided_period)),
        ("decided_alive", offset_of!(ArenaFate, decided_alive)),
        ("decided_blue", offset_of!(ArenaFate, decided_blue)),
        ("peak_red", offset_of!(ArenaFate, peak_red)),
        ("peak_blue", offset_of!(ArenaFate, peak_blue)),
    ]
    .map(|(name, offset)| (name.to_owned(), offset));
    let found = structure(&arena, "ArenaGameState");
    assert_eq!(found, (expected.to_vec(), size_of::<ArenaFate>()));
}

#[test]
fn constants_agree() {
    let has = |program: &Program, name: &str, value: u64| {
        let line = format!("const {name}: u32 = {value}u;");
        assert!(
            program.wgsl().unwrap().text.contains(&line),
            "{}: {line}",
            program.name
        );
    };
    for (name, value) in [
        ("TIES_SEEDED", layout::TIES_SEEDED),
        ("TIES_RED", layout::TIES_RED),
        ("TIES_BLUE", layout::TIES_BLUE),
        ("TIES_CHECKERBOARD", layout::TIES_CHECKERBOARD),
    ] {
        has(&LIFELIKE.step, name, value.into());
    }
    let small = &layout::LIFELIKE_SMALL;
    has(small, "WORKGROUP_SIZE", small.workgroup.into());
    has(small, "MAX_WORDS", layout::SMALL_WORDS.into());
    has(small, "MAX_STRIP_ROWS", layout::SMALL_STRIP_ROWS.into());
    let (_, span) = structure(&parsed(small), "SingleWorkgroupParams");
    assert_eq!(span, size_of::<layout::SmallParams>());
    let logic = &layout::LOGIC;
    has(logic, "WORKGROUP_SIZE", logic.workgroup.into());
    // Each function has a line of its own in the loop.
    let wgsl = logic.wgsl().unwrap().text;
    let (_, body) = wgsl.split_once("round++) {").unwrap();
    let (body, _) = body.split_once('}').unwrap();
    assert_eq!(body.matches(';').count() as u32, layout::LOGIC_FUNCTIONS);
    for family in [&LIFELIKE, &REZOLUTION] {
        has(&family.step, "WORKGROUP_SIZE", family.step.workgroup.into());
        for program in [&family.watch, &family.watch_subgroups, &family.census] {
            has(program, "WORKGROUP_SIZE", program.workgroup.into());
            has(program, "STATS_STRIDE", layout::TALLY_STRIDE);
            has(program, "TOTALS", family.totals as u64);
        }
        // One group of bindings serves both, and one grid of strips all.
        assert_eq!(family.watch.bindings, family.census.bindings);
        assert_eq!(family.watch.bindings, family.watch_subgroups.bindings);
        assert_eq!(family.step.workgroup, family.watch.workgroup);
        assert_eq!(family.step.workgroup, family.census.workgroup);
    }
    for pictures in [&layout::CELL_PICTURES, &layout::POPULATION_PICTURES] {
        let (enlarge, minify) = (&pictures.enlarge, &pictures.minify);
        has(enlarge, "WORKGROUP_SIZE", enlarge.workgroup.into());
        has(minify, "WORKGROUP_SIZE", minify.workgroup.into());
    }
    for program in PICTURES {
        has(program, "VIEW_TORUS", layout::VIEW_TORUS.into());
        has(program, "VIEW_LINES", layout::VIEW_LINES.into());
        has(program, "VIEW_ANY", layout::VIEW_ANY.into());
    }
    let families = [
        (&LIFELIKE, &LIFELIKE_STREAMS[..]),
        (&LIFELIKE, &LIFELIKE_WATCHED_STREAMS[..]),
        (&REZOLUTION, &REZOLUTION_STREAMS[..]),
        (&REZOLUTION, &REZOLUTION_WATCHED_STREAMS[..]),
    ];
    let streams = families
        .into_iter()
        .flat_map(|(family, streams)| streams.iter().map(move |stream| (family, stream)));
    for (family, stream) in streams {
        let program = &stream.program;
        has(program, "WORKGROUP_SIZE", program.workgroup.into());
        has(program, "GENERATIONS", stream.generations.into());
        let (name, words) = match stream.subgroups {
            true => ("THREAD_WORDS", stream.thread_words),
            false => ("OWN_WORDS", stream.alone_words),
        };
        has(program, name, words.into());
        // The planes are bound alike.
        assert!(program.bindings.starts_with(family.step.bindings));
    }
    for (family, watched, streams) in [
        (
            &LIFELIKE,
            &LIFELIKE_WATCHED_STREAMS[..],
            &LIFELIKE_STREAMS[..],
        ),
        (
            &REZOLUTION,
            &REZOLUTION_WATCHED_STREAMS[..],
            &REZOLUTION_STREAMS[..],
        ),
    ] {
        for stream in watched {
            let program = &stream.program;
            has(program, "STATS_STRIDE", layout::TALLY_STRIDE);
            has(program, "TOTALS", family.totals as u64);
            // Those that nobody watches lend their constants.
            assert_eq!(program.overrides, streams[0].program.overrides);
        }
    }
    has(&ACTIVE, "WORKGROUP_SIZE", ACTIVE.workgroup.into());
    has(
        &layout::ARENA,
        "WORKGROUP_SIZE",
        layout::ARENA.workgroup.into(),
    );
    has(&layout::ARENA, "ARENA_WORDS", layout::ARENA_WORDS as u64);
    let cells = format!(
        "var<workgroup> cells: array<u32, {}>;",
        4 * layout::ARENA_WORDS
    );
    assert!(
        layout::ARENA.wgsl().unwrap().text.contains(&cells),
        "{cells}"
    );
}

/// A family is one shader, one mirror and one corpus, all of one stem.
#[test]
fn every_family_has_its_files() {
    for family in FAMILIES {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let stem = family.stem();
        for file in [
            format!("src/rules/{stem}.rs"),
            format!("shaders/{stem}.wgsl"),
            format!("tests/cases/{stem}.toml"),
        ] {
            assert!(root.join(&file).is_file(), "{file} is missing");
        }
        let programs = PROGRAMS.iter().map(|program| program.name);
        assert_eq!(programs.filter(|name| name.starts_with(stem)).count(), 4);
    }
    let names = PROGRAMS.iter().map(|program| program.name);
    let names: std::collections::BTreeSet<_> = names.collect();
    assert_eq!(names.len(), PROGRAMS.len(), "names are unique");
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
                "life_alive",
                "life_blue",
            ][..],
        ),
        (
            include_str!("../shaders/rezolution.wgsl"),
            include_str!("../src/rules/rezolution.rs"),
            &[
                "lanes",
                "row_sum",
                "block_sum",
                "magnitude",
                "at_least",
                "next_lanes",
                "next_levels",
                "marked",
            ][..],
        ),
        (
            include_str!("../shaders/lifelike/ties.wgsl"),
            include_str!("../src/rules/ties.rs"),
            &["priority_bits", "ask", "first_blue", "checkerboard_blue"][..],
        ),
        (
            include_str!("../shaders/view/lifelike.wgsl"),
            include_str!("../src/render/average.rs"),
            &["averaged_colour"][..],
        ),
        (
            include_str!("../shaders/view/rezolution.wgsl"),
            include_str!("../src/render/populations.rs"),
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
