import { runDeliverers } from '../../../src/delivery/outbox/run-deliverers.ts';
import { Deliverer } from '../../../src/delivery/webhooks/deliverer.ts';
import { loadConfig } from '../../../src/platform/config.ts';
import { createContext } from '../../../src/platform/context.ts';
import { onStopRequest } from '../../../src/platform/processes/processes.ts';

// A program that only delivers webhooks. Workers and APIs do this beside their other work.
const context = createContext(loadConfig(), 'deliverer');
const deliverer = runDeliverers(context, (onFree) => [new Deliverer(context, { onFree })]);
async function end(): Promise<never> {
  await deliverer.stop();
  await context.db.$disconnect();
  process.exit(0);
}
onStopRequest(() => void end());
