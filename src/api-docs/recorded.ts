import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedCall } from '../http/openapi/examples.ts';
import { PROJECT } from '../platform/project.ts';

export const RECORDED_FILE = join(PROJECT, 'src/api-docs/recorded.json');

/** What was sent and answered in one small shop, by operationId; `test/contract/examples` records it. */
export const RECORDED = JSON.parse(readFileSync(RECORDED_FILE, 'utf8')) as Readonly<
  Record<string, RecordedCall>
>;
