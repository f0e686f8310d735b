/** Reads the outputs of a network by their names. The function throws for one that the network does not give. */
export const takeFrom =
  (outputs: Readonly<Record<string, Float32Array>>) =>
  (name: string): Float32Array => {
    const output = outputs[name];
    if (!output) throw new Error(`The model gives no "${name}".`);
    return output;
  };

/** Where the largest value is; of equal ones the first. */
export function largestOf(values: Float32Array): { readonly at: number; readonly value: number } {
  const largest = { at: 0, value: Number.NEGATIVE_INFINITY };
  let at = 0;
  for (const value of values) {
    if (value > largest.value) {
      largest.at = at;
      largest.value = value;
    }
    at++;
  }
  return largest;
}
