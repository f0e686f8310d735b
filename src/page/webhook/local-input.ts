const two = (value: number) => String(value).padStart(2, '0');

/** A moment for an input of type datetime-local, by the clock of this browser. */
export const localInput = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
