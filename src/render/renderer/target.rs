//! Where a picture is drawn to.

/// Rows of a texture are copied from addresses that are multiples of this many pixels.
pub(super) const STRIDE_PIXELS: u32 = wgpu::COPY_BYTES_PER_ROW_ALIGNMENT / 4;

/// Where a picture is drawn to.
pub(super) struct Target {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) stride: u32,
    pub(super) pixels: wgpu::Buffer,
    /// The pixels of a picture that is drawn in bands, once there was one.
    pub(super) next_pixels: Option<wgpu::Buffer>,
    pub(super) texture: wgpu::Texture,
}

impl Target {
    pub(super) fn new(device: &wgpu::Device, width: u32, height: u32) -> Self {
        let stride = width.next_multiple_of(STRIDE_PIXELS);
        let extent = wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        };
        Self {
            width,
            height,
            stride,
            pixels: Self::pixels(device, stride, height),
            next_pixels: None,
            texture: device.create_texture(&wgpu::TextureDescriptor {
                label: Some("picture"),
                size: extent,
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba8Unorm,
                usage: wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::COPY_DST
                    | wgpu::TextureUsages::COPY_SRC,
                // For targets that take linear colours, see `blit`.
                view_formats: &[wgpu::TextureFormat::Rgba8UnormSrgb],
            }),
        }
    }

    pub(super) fn pixels(device: &wgpu::Device, stride: u32, height: u32) -> wgpu::Buffer {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(stride) * u64::from(height) * 4,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        })
    }

    pub(super) fn extent(&self) -> wgpu::Extent3d {
        self.texture.size()
    }

    pub(super) fn layout(&self) -> wgpu::TexelCopyBufferLayout {
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(self.stride * 4),
            rows_per_image: None,
        }
    }

    pub(super) fn copy_to_texture(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.copy_buffer_to_texture(
            wgpu::TexelCopyBufferInfo {
                buffer: &self.pixels,
                layout: self.layout(),
            },
            self.texture.as_image_copy(),
            self.extent(),
        );
    }
}
