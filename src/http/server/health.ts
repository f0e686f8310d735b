import { setTimeout as pause } from 'node:timers/promises';
import { Router } from 'express';

const DEADLINE_MS = 2_000;

/** `/healthz`: the process runs. `/readyz`: it can serve requests. Neither needs an API key. */
export function health(ready: () => Promise<void>): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const late = pause(DEADLINE_MS, false, { ref: false });
    const isReady = await Promise.race([ready().then(() => true), late]).catch(() => false);
    if (isReady) response.json({ status: 'ready' });
    else response.status(503).json({ status: 'not ready' });
  });
  return router;
}
