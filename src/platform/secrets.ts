import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from './config.ts';
import type { EncryptionKey } from './crypto.ts';

export interface Secrets {
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly urlSigningKey: string;
}

const FILE_SCHEMA = z.object({ encryptionKey: z.base64(), urlSigningKey: z.string().min(32) });

/**
 * The secrets of the configuration. In development missing secrets are created once in `DATA_DIR/secrets.json` (0600), which
 * API and workers share.
 */
export function loadSecrets(config: Config): Secrets {
  const { encryptionKeys, urlSigningKey } = config;
  if (encryptionKeys && urlSigningKey) return { encryptionKeys, urlSigningKey };
  const made = developmentSecrets(config.dataDir);
  return {
    encryptionKeys: encryptionKeys ?? [{ id: 'dev', key: Buffer.from(made.encryptionKey, 'base64') }],
    urlSigningKey: urlSigningKey ?? made.urlSigningKey,
  };
}

function developmentSecrets(dataDir: string): z.output<typeof FILE_SCHEMA> {
  const file = join(dataDir, 'secrets.json');
  const known = read(file);
  if (known) return known;
  const made = {
    encryptionKey: randomBytes(32).toString('base64'),
    urlSigningKey: randomBytes(32).toString('hex'),
  };
  try {
    mkdirSync(dataDir, { recursive: true });
    publish(file, made);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(
      `DATA_DIR (${dataDir}) cannot be written (${code ?? message}): make it writable for this account, or set DATA_DIR to another ` +
        'folder. Or set ENCRYPTION_KEYS and URL_SIGNING_KEY: without them their values are kept there.',
    );
  }
  return FILE_SCHEMA.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** @returns null when there is no file */
function read(file: string): z.output<typeof FILE_SCHEMA> | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new Error(
      `${file} cannot be read (${code}): correct DATA_DIR, or make the file readable for this account.`,
    );
  }
  try {
    return FILE_SCHEMA.parse(JSON.parse(text));
  } catch {
    throw new Error(
      `${file} cannot be read as secrets: restore it, or delete it and enter every stream address again`,
    );
  }
}

/** Writes the file if there is none. */
function publish(file: string, made: z.output<typeof FILE_SCHEMA>): void {
  // When programs start together, the first link wins, and no program reads half a file.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
