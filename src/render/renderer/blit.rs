//! The renderer's texture on the screen, pixel by pixel.

use crate::engine::EngineError;
use crate::engine::gpu::Gpu;
use crate::engine::gpu::wgsl::{Assembly, FILES, WgslError, assemble};

/// A program that shows a picture in a render pass.
pub struct RenderProgram {
    /// Its name in labels.
    pub name: &'static str,
    /// The file, a stem of [`FILES`].
    pub file: &'static str,
    /// The entry point of a vertex.
    pub vertex: &'static str,
    /// The entry point of a pixel. The picture is a texture at binding 0.
    pub fragment: &'static str,
}

/// A picture on the screen, one of its pixels on one of the viewport: `shaders/view/blit.wgsl`.
pub static BLIT: RenderProgram = RenderProgram {
    name: "blit",
    file: "view/blit",
    vertex: "corner",
    fragment: "colour",
};

impl RenderProgram {
    /// The WGSL text, and where its lines are from.
    ///
    /// # Errors
    /// [`WgslError`] if the files do not fit together.
    pub fn wgsl(&self) -> Result<Assembly, WgslError> {
        assemble(FILES, self.file, &[])
    }
}

/// Shows textures of [`Renderer`](super::Renderer) in render passes onto targets of one format.
pub struct Blit {
    device: wgpu::Device,
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    is_linear: bool,
}

/// A texture that is to be shown.
#[derive(Clone, Debug)]
pub struct BlitSource {
    pipeline: wgpu::RenderPipeline,
    group: wgpu::BindGroup,
}

impl Blit {
    /// Compiles the program. Targets have one sample per pixel and no depth.
    ///
    /// # Errors
    /// [`EngineError::Device`] if the device refuses it.
    pub fn new(gpu: &Gpu, target: wgpu::TextureFormat) -> Result<Self, EngineError> {
        let wgsl = BLIT.wgsl().map_err(|error| gpu.error(&error.to_string()))?;
        let device = gpu.handles().device;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(BLIT.name),
            source: wgpu::ShaderSource::Wgsl(wgsl.text.into()),
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(BLIT.name),
            // The layout that the shader implies.
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some(BLIT.vertex),
                compilation_options: Default::default(),
                buffers: &[],
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(BLIT.fragment),
                compilation_options: Default::default(),
                targets: &[Some(target.into())],
            }),
            primitive: Default::default(),
            depth_stencil: None,
            multisample: Default::default(),
            multiview_mask: None,
            cache: None,
        });
        Ok(Self {
            layout: pipeline.get_bind_group_layout(0),
            pipeline,
            device,
            is_linear: target.is_srgb(),
        })
    }

    /// The bindings that show a texture; they stay valid when the texture is drawn anew.
    pub fn shown(&self, texture: &wgpu::Texture) -> BlitSource {
        // A target that takes linear colours turns them back into those of the texture.
        let format = texture.format();
        let view = texture.create_view(&wgpu::TextureViewDescriptor {
            format: Some(match self.is_linear {
                true => format.add_srgb_suffix(),
                false => format,
            }),
            ..Default::default()
        });
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(BLIT.name),
            layout: &self.layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(&view),
            }],
        });
        BlitSource {
            pipeline: self.pipeline.clone(),
            group,
        }
    }
}

impl BlitSource {
    /// Records the picture. The viewport has as many pixels as the texture.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.draw(0..3, 0..1);
    }
}
