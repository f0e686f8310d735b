import { loadConfig } from '../../../src/config.ts';
import { createContext } from '../../../src/platform/context.ts';
import { startDeliverer } from '../../../src/webhooks/deliver.job.ts';

// A process that delivers and does nothing else, as every worker does beside its lanes.
const context = createContext(loadConfig(), 'deliverer');
const deliverer = startDeliverer(context);
process.once('SIGTERM', async () => {
  await deliverer.stop();
  await context.db.$disconnect();
  process.exit(0);
});
