import { loadConfig } from '../../../src/config.ts';
import { createContext } from '../../../src/platform/context.ts';
import { onStopRequest } from '../../../src/platform/processes/processes.ts';
import { startDeliverer } from '../../../src/webhooks/deliver.job.ts';

// A process that delivers and does nothing else, as every worker does beside its lanes and every API beside its requests.
const context = createContext(loadConfig(), 'deliverer');
const deliverer = startDeliverer(context);
async function end(): Promise<never> {
  await deliverer.stop();
  await context.db.$disconnect();
  process.exit(0);
}
onStopRequest(() => void end());
