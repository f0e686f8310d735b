/** Where each anchor of a model lies: cells of each stride's grid, row by row, strides in order. */
export interface Anchors {
  readonly count: number;
  /** Left top corner of the cell, pixels of the model's input. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Side of the cell, pixels. */
  readonly stride: Float32Array;
}

export function makeAnchors(width: number, height: number, strides: readonly number[]): Anchors {
  const x: number[] = [];
  const y: number[] = [];
  const sides: number[] = [];
  for (const stride of strides) {
    for (let row = 0; row < Math.ceil(height / stride); row++)
      for (let column = 0; column < Math.ceil(width / stride); column++) {
        x.push(column * stride);
        y.push(row * stride);
        sides.push(stride);
      }
  }
  return {
    count: x.length,
    x: Float32Array.from(x),
    y: Float32Array.from(y),
    stride: Float32Array.from(sides),
  };
}
