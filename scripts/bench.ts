import { Command } from 'commander';
import { prepares } from './support/prepares.ts';
import { main, parseCommands } from './support/terminal.ts';

const BENCHES = new Map<string, () => Promise<Command>>([
  ['pipeline', async () => (await import('./bench/pipeline.ts')).pipeline],
  ['start', async () => (await import('./bench/start.ts')).start],
  ['decoding', async () => (await import('./bench/pipeline/decoding.ts')).decoding],
  ['people', async () => (await import('./bench/pipeline/people.ts')).people],
  ['capacity', async () => (await import('./bench/capacity.ts')).capacity],
  ['attributes', async () => (await import('./bench/attributes.ts')).attributes],
  ['api', async () => (await import('./bench/api.ts')).api],
  ['alerts', async () => (await import('./bench/alerts.ts')).alerts],
  ['live', async () => (await import('./bench/live.ts')).live],
  ['page-live', async () => (await import('./bench/page-live.ts')).pageLive],
  ['webhooks', async () => (await import('./bench/webhooks.ts')).webhooks],
  ['claims', async () => (await import('./bench/database/claims.ts')).claims],
  ['notifications', async () => (await import('./bench/notifications.ts')).notifications],
  ['floor', async () => (await import('./bench/floor.ts')).floor],
  ['history', async () => (await import('./bench/history.ts')).history],
  ['page-history', async () => (await import('./bench/page-history.ts')).pageHistory],
  ['reports', async () => (await import('./bench/reports.ts')).reports],
  ['recordings', async () => (await import('./bench/recordings.ts')).recordings],
  ['page', async () => (await import('./bench/page.ts')).page],
  ['retention', async () => (await import('./bench/database/retention.ts')).retention],
  ['storage', async () => (await import('./bench/database/storage.ts')).storage],
  ['scale', async () => (await import('./bench/scale/scale.ts')).scale],
  ['hostile', async () => (await import('./bench/api/hostile.ts')).hostile],
  ['billing', async () => (await import('./bench/billing.ts')).billing],
]);

const program = new Command('bench').description(
  'Measures the speed and the CPU time of the product. No command needs a database of yours.',
);

await main(async () => {
  // Only the named command is loaded: all of them would treble the heap, whose garbage would count as a frame's cost.
  const named = BENCHES.get(process.argv[2] ?? '');
  for (const load of named ? [named] : BENCHES.values()) program.addCommand(await load());
  await parseCommands(prepares(program, { page: true }));
});
