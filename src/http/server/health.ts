import { Router } from 'express';

const DEADLINE_MS = 2_000;

/** `/healthz`: the process runs. `/readyz`: it can serve requests. Neither needs an API key. */
export function health(ready: () => Promise<void>): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('late')), DEADLINE_MS);
    });
    try {
      await Promise.race([ready(), late]);
      response.json({ status: 'ready' });
    } catch {
      response.status(503).json({ status: 'not ready' });
    } finally {
      clearTimeout(timer);
    }
  });
  return router;
}
