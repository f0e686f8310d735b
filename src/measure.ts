/**
 * Measures networks with one provider and prints the result as JSON. It is a process of its own, because a graphics driver may crash
 * or hang the process that opens it.
 */

import { measureNetworks } from './models/choice/measure-networks.ts';
import type { MeasureRequest } from './models/choice/measurement.ts';
import { reasonOf } from './models/open-session.ts';

const request = JSON.parse(process.argv[2] ?? '') as MeasureRequest;
const result = await measureNetworks(request).then(
  (networks) => ({ networks }),
  (error: unknown) => ({ reason: reasonOf(error) }),
);
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
