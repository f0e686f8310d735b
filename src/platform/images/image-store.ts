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
  /** Removes every picture whose key names this user, also one that was never finished. */
  removeOf(userId: string): Promise<void>;
  /** Removes what was begun before this day and never finished. */
  removeUnfinishedBefore(day: string): Promise<void>;
  /** Keys in their order, those after this one (`''`: all), in pages of at most 1,000. */
  keysAfter(key: string): AsyncIterable<readonly string[]>;
  /** The id of this name that was written into this storage; null when there is none. */
  readId(name: IdName): Promise<string | null>;
  /** Keeps one that is there already. @returns the id it has now */
  writeId(name: IdName, id: string): Promise<string>;
}

/**
 * What lies beside the pictures' days, no key of a picture. `storage-id` says which storage it is, `database-id` which
 * database it belongs to.
 */
export type IdName = 'storage-id' | 'database-id';

/** How many keys stores list or remove at once: S3 takes no more. */
export const PAGE = 1000;

const KEY = /^\d{4}-\d{2}-\d{2}\/[a-z0-9][a-z0-9._-]{0,99}$/;

/** Whether a picture can be kept under it: a day and a name, nothing that leads anywhere else. */
export const isImageKey = (key: string): boolean => KEY.test(key);

/** @throws Error when it is no key of a picture */
export function requireImageKey(key: string): void {
  if (!isImageKey(key)) throw new Error(`"${key}" is no image key: make one with newImageKey()`);
}

/** UTC, `YYYY-MM-DD`. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** What the keys of a user's pictures begin with, below their day. */
export const namesOf = (userId: string): string => `${userId}.`;

/**
 * A key that nobody can guess, below the day it is made on, since retention removes whole days, and with the user, since
 * erasure removes all of one user's.
 * @param now when the picture is stored, not when it was taken
 */
export const newImageKey = (now: Date, userId: string): string =>
  `${dayOf(now)}/${namesOf(userId)}${randomUUID()}.jpg`;

/** @returns the user that a key names; null for a key of the time before keys named one */
export const ownerOf = (key: string): string | null => OWNER.exec(key)?.[1] ?? null;

const OWNER = /\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.[^/]+$/;
