import { Router } from 'express';
import { type ReadinessChecks, readiness } from '../../platform/readiness.ts';

/** `/healthz`: the process runs. `/readyz`: it can serve requests, else which part cannot. Neither needs an API key. */
export function health(checks: ReadinessChecks): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const found = await readiness(checks);
    response.status(found.status === 'ready' ? 200 : 503).json(found);
  });
  return router;
}
