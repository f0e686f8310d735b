/**
 * Measures networks with one provider and prints the result as JSON, in lines before it what it does. It is a process of its own, because a graphics driver
 * may crash or hang the process that opens it.
 */

import { measureNetworks } from './models/choice/measure-networks.ts';
import type { MeasureRequest } from './models/choice/measurement.ts';
import { reasonOf } from './models/open-session.ts';

const request = JSON.parse(process.argv[2] ?? '') as MeasureRequest;
const print = (line: object, done?: () => void) => process.stdout.write(`${JSON.stringify(line)}\n`, done);
const onProgress = (doing: string) => void print({ doing });
const result = await measureNetworks({ ...request, onProgress }).then(
  (networks) => ({ networks }),
  (error: unknown) => ({ reason: reasonOf(error) }),
);
print(result, () => process.exit(0));
