import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { PROJECT } from '../../src/platform/project.ts';
import { main } from '../support/terminal.ts';

const TYPES = join(PROJECT, 'src/client/generated/schema.ts');
const STAMP = join(PROJECT, 'src/client/generated/.stamp');

/** Digest of everything that the OpenAPI document is made of. It costs 20 ms; the document itself costs a second. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const names = readdirSync(join(PROJECT, 'src'), { recursive: true, encoding: 'utf8' });
  const sources = names.filter(
    (name) => name.endsWith('.ts') && !/^web\/|(prisma-client|generated|dist)\//.test(name),
  );
  for (const name of sources.sort()) hash.update(name).update(readFileSync(join(PROJECT, 'src', name)));
  for (const name of ['package-lock.json', 'scripts/client/api-types.ts'])
    hash.update(readFileSync(join(PROJECT, name)));
  return hash.digest('hex');
}

function stamped(): string {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return '';
  }
}

const program = new Command('npm run -s client --')
  .description(
    'Writes the types of the TypeScript client (src/client) from the OpenAPI document, if the API has changed since the last time.',
  )
  .showHelpAfterError()
  .action(async () => {
    const current = fingerprint();
    if (stamped() === current) return;
    const { apiTypes } = await import('./api-types.ts');
    const types = await apiTypes();
    mkdirSync(dirname(TYPES), { recursive: true });
    writeFileSync(TYPES, types);
    writeFileSync(STAMP, current);
  });

await main(() => program.parseAsync());
