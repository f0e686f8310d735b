import { randomUUID } from 'node:crypto';

/** Where pictures lie: a folder, or a bucket. Nothing outside of `platform/images` knows which. */
export interface ImageStore {
  /** For people: the folder or bucket. */
  readonly place: string;
  /** Whole or not at all, whoever reads meanwhile. Puts of one key replace each other. @throws Error wrong key, no room */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** @returns null when there is none; also for a key that nothing could be kept under */
  get(key: string): Promise<Buffer | null>;
  /** Keys that are not there are gone already. */
  remove(keys: readonly string[]): Promise<void>;
  /** Removes every picture of the days before this one, `YYYY-MM-DD`, whoever knows of it or not. */
  removeBefore(day: string): Promise<void>;
  /** The id that was written into this storage; null when it is new. */
  readId(): Promise<string | null>;
  /** Keeps one that is there already. @returns the id it has now */
  writeId(id: string): Promise<string>;
}

/** Beside the pictures' days: no key of a picture. */
export const ID_OBJECT = 'storage-id';

const KEY = /^\d{4}-\d{2}-\d{2}\/[a-z0-9][a-z0-9._-]{0,99}$/;

/** Whether a picture can be kept under it: a day and a name, nothing that leads anywhere else. */
export const isImageKey = (key: string): boolean => KEY.test(key);

/** @throws Error when it is no key of a picture */
export function requireImageKey(key: string): void {
  if (!isImageKey(key)) throw new Error(`"${key}" is no image key: make one with newImageKey()`);
}

/** UTC, `YYYY-MM-DD`. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/**
 * A key that nobody can guess, below the day it is made on: retention removes whole days.
 * @param now when the picture is stored, not when it was taken
 */
export const newImageKey = (now: Date): string => `${dayOf(now)}/${randomUUID()}.jpg`;
