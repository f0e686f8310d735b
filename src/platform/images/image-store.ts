import { randomUUID } from 'node:crypto';
import { namesOf } from './keys.ts';
import type { ObjectStore } from './object-store.ts';

/** The storage of images: a folder or a bucket. Only `platform/images` knows which. */
export interface ImageStore {
  /** Name of the folder or bucket for messages. */
  readonly place: string;
  /** Recordings and exports, in the same folder or bucket. */
  readonly objects: ObjectStore;
  /** Stores an image atomically; a second put of a key replaces the first. @throws Error for a wrong key or a full storage */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** @returns null when there is no such image or the key is malformed */
  get(key: string): Promise<Buffer | null>;
  /** Removes images; missing keys are ignored. */
  remove(keys: readonly string[]): Promise<void>;
  /** Removes every image of the days before this one, `YYYY-MM-DD`, with or without a row. */
  removeBefore(day: string): Promise<void>;
  /** Removes every image whose key names this user, also unfinished ones. */
  removeOf(userId: string): Promise<void>;
  /** Removes unfinished images of the days before this one. */
  removeUnfinishedBefore(day: string): Promise<void>;
  /** The keys after this one (`''`: all) in order, in pages of at most 1,000. */
  keysAfter(key: string): AsyncIterable<readonly string[]>;
  /** The id that was written into this storage under this name; null when there is none. */
  readId(name: IdName): Promise<string | null>;
  /** Writes an id unless there is one. @returns the id that the storage has now */
  writeId(name: IdName, id: string): Promise<string>;
}

/** Objects beside the folders of days. `storage-id` identifies the storage, `database-id` the database it belongs to. */
export type IdName = 'storage-id' | 'database-id';

const KEY = /^\d{4}-\d{2}-\d{2}\/[a-z0-9][a-z0-9._-]{0,99}$/;

/** Whether a text is a key of an image: a day and a name, without a way to another folder. */
export const isImageKey = (key: string): boolean => KEY.test(key);

/** @throws Error when the text is not the key of an image */
export function requireImageKey(key: string): void {
  if (!isImageKey(key)) throw new Error(`"${key}" is no image key: make one with newImageKey()`);
}

/** UTC, `YYYY-MM-DD`. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/**
 * A new key that cannot be guessed. It begins with the day, because retention removes whole days, and then names the user,
 * because erasure removes all images of a user.
 * @param now when the image is stored, not when the frame was taken
 */
export const newImageKey = (now: Date, userId: string): string =>
  `${dayOf(now)}/${namesOf(userId)}${randomUUID()}.jpg`;

/** @returns the user that a key names; null for another name */
export const ownerOf = (key: string): string | null => OWNER.exec(key)?.[1] ?? null;

const OWNER = /\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.[^/]+$/;
