//! The file dialog. It is our own, since egui-file-dialog follows new versions of egui late and rfd needs the
//! portal of a desktop.

use egui::{Button, Context, Id, Key, Modal, RichText, ScrollArea, TextEdit, Ui};

use crate::app::command::{Command, CommandQueue, FilePurpose};
use crate::app::controller::Controller;
use crate::app::platform::{Entry, Platform};
use crate::app::theme;
use crate::game::opening::GameName;

/// The most entries of a folder that are listed.
const MOST_ENTRIES: usize = 2000;

/// The form of the dialog: the folder and the name.
#[derive(Debug)]
pub(in crate::app) struct FileForm {
    folder: String,
    name: String,
    entries: Result<Vec<Entry>, String>,
    /// A file to replace after confirmation.
    replaces: Option<String>,
    has_focus: bool,
}

impl FileForm {
    pub(in crate::app) const fn new(folder: String) -> Self {
        Self {
            folder,
            name: String::new(),
            entries: Ok(Vec::new()),
            replaces: None,
            has_focus: false,
        }
    }

    /// Opens the dialog in the last folder.
    pub(in crate::app) fn begin(&mut self, purpose: FilePurpose, platform: &dyn Platform) {
        self.name = match purpose {
            FilePurpose::Open => String::new(),
            FilePurpose::Save => "board.rle".into(),
            FilePurpose::PictureOfBoard => "board.png".into(),
            FilePurpose::PictureOfView => "view.png".into(),
            FilePurpose::Film => "film.gif".into(),
        };
        self.replaces = None;
        self.has_focus = false;
        self.list(platform);
    }

    /// Suggests another name than the default one.
    pub(in crate::app) fn suggest(&mut self, name: &str) {
        self.name = name.into();
    }

    fn list(&mut self, platform: &dyn Platform) {
        self.entries = platform.list(&self.folder);
    }

    fn enter(&mut self, folder: String, platform: &dyn Platform) {
        self.folder = folder;
        self.list(platform);
    }

    /// Accepts the typed name: enters it if it is a folder, else returns a command for the file.
    fn accept(&mut self, purpose: FilePurpose, platform: &dyn Platform) -> Option<Command> {
        let typed = self.name.trim();
        if typed.is_empty() {
            return None;
        }
        let name = platform.join(&self.folder, typed);
        if platform.is_folder(&name) {
            self.name.clear();
            self.enter(name, platform);
            return None;
        }
        if purpose == FilePurpose::Open {
            return Some(Command::Open(name));
        }
        if platform.is_file(&name) && self.replaces.as_ref() != Some(&name) {
            self.replaces = Some(name);
            return None;
        }
        Some(Command::Write(purpose, name))
    }
}

pub(super) fn show(
    ctx: &Context,
    controller: &mut Controller,
    purpose: FilePurpose,
    commands: &mut CommandQueue,
) {
    let kind = controller.game.name();
    let Controller {
        platform,
        file_form: form,
        film_form,
        notice,
        ..
    } = controller;
    let modal = Modal::new(Id::unique("file")).show(ctx, |ui| {
        ui.set_width(540.0);
        ui.heading(match purpose {
            FilePurpose::Open => "Open a board",
            FilePurpose::Save => "Save the board",
            FilePurpose::PictureOfBoard => "Save a picture of the board",
            FilePurpose::PictureOfView => "Save a picture of the view",
            FilePurpose::Film => "Record a film of the generations from now on",
        });
        ui.weak(match purpose {
            FilePurpose::Open => {
                "Text grids, RLE, plaintext, Life 1.05 and 1.06, macrocell, PNG, share codes, reZolution, Immigration Games"
            }
            FilePurpose::Save if kind == GameName::Rezolution => "As .rez, or the same text as .txt",
            FilePurpose::Save if kind == GameName::Immigration => {
                "As .json the game, to resume it; as .rle, .txt or .png its board"
            }
            FilePurpose::Save => {
                "The extension decides: .rle, .txt, .png; .cells and .lif for one colour"
            }
            FilePurpose::PictureOfBoard | FilePurpose::PictureOfView => "A PNG",
            FilePurpose::Film => {
                "The extension decides: .gif, .apng, .y4m; without any, a folder of PNG frames"
            }
        });
        ui.add_space(4.0);
        list(ui, form, &**platform, purpose, commands);
        ui.add_space(4.0);
        let label = ui.label("Name");
        let edit = TextEdit::singleline(&mut form.name).desired_width(f32::INFINITY);
        let response = ui.add(edit).labelled_by(label.id);
        if !form.has_focus {
            form.has_focus = true;
            response.request_focus();
        }
        if response.changed() {
            form.replaces = None;
        }
        if purpose == FilePurpose::Film {
            ui.add_space(4.0);
            film_form.show(ui);
        }
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if form.replaces.is_some() {
            ui.colored_label(ui.visuals().warn_fg_color, "This file already exists.");
        } else if let Some(notice) = notice.as_ref().filter(|notice| notice.is_error) {
            ui.colored_label(theme::error(ui), &notice.text);
        }
        ui.horizontal(|ui| {
            let name = match (purpose, &form.replaces) {
                (FilePurpose::Open, _) => "Open",
                (_, Some(_)) => "Replace it",
                (FilePurpose::Film, None) => "Record",
                (_, None) => "Save",
            };
            let button = Button::new(RichText::new(name).strong());
            if ui.add(button).clicked() || entered {
                let accepted = form.accept(purpose, &**platform);
                match accepted {
                    Some(Command::Write(FilePurpose::Film, name)) => {
                        if let Some(plan) = film_form.plan() {
                            commands.push(Command::Record(name, plan));
                        }
                    }
                    Some(command) => commands.push(command),
                    None => {}
                }
                response.request_focus();
            }
            if ui.button("Cancel").clicked() {
                commands.push(Command::Dismiss);
            }
        });
    });
    if modal.should_close() {
        commands.push(Command::Dismiss);
    }
}

fn list(
    ui: &mut Ui,
    form: &mut FileForm,
    platform: &dyn Platform,
    purpose: FilePurpose,
    commands: &mut CommandQueue,
) {
    ui.horizontal(|ui| {
        let parent = platform.parent(&form.folder);
        let up = ui.add_enabled(parent.is_some(), Button::new("Up"));
        if up.on_hover_text("The folder above").clicked()
            && let Some(parent) = parent
        {
            form.enter(parent, platform);
        }
        ui.label(RichText::new(&form.folder).monospace());
    });
    let mut entered = None;
    ScrollArea::vertical()
        .max_height(260.0)
        .min_scrolled_height(260.0)
        .auto_shrink([false, false])
        .show(ui, |ui| match &form.entries {
            Err(why) => {
                ui.colored_label(theme::error(ui), why);
            }
            Ok(entries) => {
                for entry in entries.iter().take(MOST_ENTRIES) {
                    let text = if entry.is_folder {
                        format!("{}/", entry.name)
                    } else {
                        entry.name.clone()
                    };
                    let response = ui.selectable_label(form.name == entry.name, text);
                    if entry.is_folder && response.clicked() {
                        entered = Some(entry.name.clone());
                    } else if response.double_clicked() && purpose == FilePurpose::Open {
                        commands.push(Command::Open(platform.join(&form.folder, &entry.name)));
                    } else if response.clicked() {
                        form.name = entry.name.clone();
                        form.replaces = None;
                    }
                }
                if entries.len() > MOST_ENTRIES {
                    ui.weak(format!("and {} more", entries.len() - MOST_ENTRIES));
                }
            }
        });
    if let Some(name) = entered {
        let folder = platform.join(&form.folder, &name);
        form.enter(folder, platform);
    }
}
