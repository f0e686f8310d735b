import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { makeSecret } from '../../src/delivery/webhooks/secret.ts';

/** The receiver's own files. The demo reads them too. */
export const RECEIVER_FOLDER = '.data/webhook-receiver';

export const certificateFile = (folder: string): string => join(folder, 'certificate.pem');
const secretFile = (folder: string): string => join(folder, 'secret');

export interface Identity {
  readonly key: string;
  /** Self-signed: a program trusts it only if it has this file. */
  readonly certificate: string;
  /** Deliveries to the receiver are signed with it by default. */
  readonly secret: string;
}

const VALID_DAYS = 825;

/** Makes a certificate for this machine's loopback names, and its key. Both are PEM. */
export async function makeCertificate(
  names: readonly string[] = ['localhost'],
): Promise<Omit<Identity, 'secret'>> {
  const notAfterDate = new Date(Date.now() + VALID_DAYS * 86_400_000);
  const { private: key, cert: certificate } = await generate(
    [{ name: 'commonName', value: 'webhook receiver' }],
    {
      keyType: 'ec',
      algorithm: 'sha256',
      notAfterDate,
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        {
          name: 'subjectAltName',
          altNames: [
            ...names.map((value) => ({ type: 2 as const, value })),
            { type: 7 as const, ip: '127.0.0.1' },
            { type: 7 as const, ip: '::1' },
          ],
        },
      ],
    },
  );
  return { key, certificate };
}

/** The receiver's certificate and secret. The first call makes them; only their owner can read key and secret. */
export async function ensureIdentity(folder: string): Promise<Identity> {
  const known = readIdentity(folder);
  if (known) return known;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const made = { ...(await makeCertificate()), secret: makeSecret() };
  writeFileSync(join(folder, 'key.pem'), made.key, { mode: 0o600 });
  writeFileSync(secretFile(folder), `${made.secret}\n`, { mode: 0o600 });
  // This file is written last: with it all files are there.
  writeFileSync(certificateFile(folder), made.certificate);
  return made;
}

/** @returns null when the receiver has not yet run with this folder */
export function readIdentity(folder: string): Identity | null {
  try {
    return {
      certificate: readFileSync(certificateFile(folder), 'utf8'),
      key: readFileSync(join(folder, 'key.pem'), 'utf8'),
      secret: readFileSync(secretFile(folder), 'utf8').trim(),
    };
  } catch {
    return null;
  }
}
