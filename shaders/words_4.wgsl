// The circuits work on four words at a time: 128 cells.
alias Words = vec4<u32>;
