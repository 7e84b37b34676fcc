//! Shader programs, and what host and shader must agree on: bindings, structs, overrides, entry point.
//!
//! `tests/shaders.rs` parses every assembled program and compares it with these declarations.

use super::wgsl::{Assembly, FILES, WgslError, assemble};

/// A shader program: a WGSL file with some defines, and its entry point.
pub struct Program {
    /// Its name in labels; unique.
    pub name: &'static str,
    /// The file, a stem of [`FILES`].
    pub file: &'static str,
    /// What is defined in the file and in the files it imports.
    pub defines: &'static [&'static str],
    /// The entry point.
    pub entry_point: &'static str,
    /// Threads of a workgroup; `WORKGROUP_SIZE` in the shader.
    pub workgroup: u32,
    /// Bindings in the order of their numbers, from 0.
    pub bindings: &'static [Binding],
    /// Constants that are set when a pipeline of the folded form is made.
    pub overrides: &'static [&'static str],
}

/// How a pipeline gets the rule it computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// From its uniforms: one pipeline serves every rule.
    General,
    /// As constants, when it is made: each rule has a pipeline, which is faster.
    Folded,
}

/// The resource of a binding number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// A uniform buffer that holds this struct.
    Uniform(&'static Structure),
    /// A storage buffer that is only read.
    Read,
    /// A storage buffer that is written.
    Write,
    /// A storage buffer that is written, bound at an offset given with each dispatch.
    WriteAtOffset,
}

/// A struct that host and shader share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Structure {
    /// Its name on both sides.
    pub name: &'static str,
    /// Its fields in order.
    pub fields: &'static [Field],
    /// Its size in bytes.
    pub size: usize,
}

/// A field of a [`Structure`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name on both sides.
    pub name: &'static str,
    /// Where it begins, in bytes.
    pub offset: usize,
    /// Its size in bytes.
    pub size: usize,
}

impl Program {
    /// The WGSL text, and where its lines are from.
    ///
    /// # Errors
    /// [`WgslError`] if the files do not fit together.
    pub fn wgsl(&self, form: Form) -> Result<Assembly, WgslError> {
        let mut defines = self.defines.to_vec();
        if form == Form::General {
            defines.push("GENERAL");
        }
        assemble(FILES, self.file, &defines)
    }

    /// The forms it has.
    pub fn forms(&self) -> &'static [Form] {
        match self.has_general() {
            true => &[Form::Folded, Form::General],
            false => &[Form::Folded],
        }
    }

    /// Whether it has a general form: those that fold a Life-like rule in have one. The others differ in the
    /// edges at most.
    pub fn has_general(&self) -> bool {
        self.overrides.contains(&"BIRTH")
    }

    /// Constants that are set when a pipeline of this form is made.
    pub const fn overrides_in(&self, form: Form) -> &'static [&'static str] {
        match form {
            Form::General => &[],
            Form::Folded => self.overrides,
        }
    }
}

/// Declares structs that a shader declares, too: with the same fields in the same order, and the same name.
///
/// Each has a constant `STRUCTURE`, a [`Structure`], which the mirror test compares with the shader's.
macro_rules! uniforms {
    ($(
        $(#[$attribute:meta])*
        pub struct $name:ident {
            $($(#[$field_attribute:meta])* pub $field:ident: $type:ty,)*
        }
    )*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(C)]
        pub struct $name {
            $($(#[$field_attribute])* pub $field: $type,)*
        }

        impl $name {
            /// Name, fields and size.
            pub const STRUCTURE: $crate::engine::gpu::program::Structure =
                $crate::engine::gpu::program::Structure {
                    name: stringify!($name),
                    fields: &[$($crate::engine::gpu::program::Field {
                        name: stringify!($field),
                        offset: std::mem::offset_of!($name, $field),
                        size: size_of::<$type>(),
                    },)*],
                    size: size_of::<$name>(),
                };
        }
    )*};
}

pub(crate) use uniforms;
