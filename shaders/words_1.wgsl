// The circuits work on one word at a time: 32 cells.
alias Words = u32;
