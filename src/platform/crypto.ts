import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export interface EncryptionKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts text that must be readable again (stream addresses, webhook secrets) with AES-256-GCM. The id of the key stands in
 * front, so that keys can be changed. The first key encrypts; all keys decrypt.
 */
export class Sealer {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #first: EncryptionKey;

  /** @param keys at least one */
  constructor(keys: readonly EncryptionKey[]) {
    const first = keys[0];
    if (!first) throw new Error('ENCRYPTION_KEYS holds no key');
    this.#first = first;
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]));
  }

  /** @param binding what the text belongs to, e.g. `device:<id>`; sealed text cannot be opened with another binding */
  seal(text: string, binding: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#first.key, iv).setAAD(Buffer.from(binding));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `${this.#first.id}:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')}`;
  }

  /** The beginning of every text that the first key has sealed. */
  get newestPrefix(): string {
    return `${this.#first.id}:`;
  }

  /** Seals a text again with the first key. @returns null when it cannot be opened */
  reseal(sealed: string, binding: string): string | null {
    let text: string;
    try {
      text = this.open(sealed, binding);
    } catch {
      return null;
    }
    return this.seal(text, binding);
  }

  /** @throws Error when the key was removed, or the text or its binding was changed */
  open(sealed: string, binding: string): string {
    const at = sealed.indexOf(':');
    const key = this.#keys.get(sealed.slice(0, at));
    if (!key) throw new Error(`ENCRYPTION_KEYS lacks the key "${sealed.slice(0, at)}" that sealed this text`);
    const bytes = Buffer.from(sealed.slice(at + 1), 'base64');
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(binding))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return `${decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8')}${decipher.final('utf8')}`;
  }
}
