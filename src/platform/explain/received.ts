/** Maximum length of a text of the caller in a message, characters. */
const LONGEST = 60;

/** Names of fields whose value is never repeated: keys, passwords, and addresses, which may contain them. */
const SECRET_NAME = /secret|password|token|signature|authorization|_?key(_?id|s)?$|url$|^code$/i;
/** Texts that are secret in every field: API keys, webhook secrets, addresses with a user and password. */
const SECRET_TEXT = /vas_[0-9A-Za-z]|whsec_|bearer\s|:\/\/.*@/i;

/** Whether a value may not be repeated in a message. */
export const isSecret = (path: readonly PropertyKey[], value: unknown): boolean =>
  (typeof value === 'string' && SECRET_TEXT.test(value)) ||
  path.some((part) => typeof part === 'string' && SECRET_NAME.test(part));

/** A text in quotes, shortened if it is long. */
export function quoted(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return JSON.stringify(cut);
}

/** An unknown name of the caller, for a message. */
export const shownName = (name: string): string =>
  isSecret([], name) ? '(hidden)' : name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name;

/** A short description of a value; of a secret value only the length. */
export function received(value: unknown, path: readonly PropertyKey[]): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value))
    return value.length === 1 ? 'a list of 1 entry' : `a list of ${value.length} entries`;
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return isSecret(path, value) ? `a ${typeof value}` : String(value);
  if (value === '') return 'an empty text';
  return isSecret(path, value) ? `a text of ${value.length} characters` : quoted(value);
}

/** The value at a path of the input; for a part of a text that was split, the whole text. */
export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let at = input;
  for (const part of path) {
    if (typeof at !== 'object' || at === null) return at;
    at = (at as Record<PropertyKey, unknown>)[part];
  }
  return at;
}
