import { type Cluster, type ClusterOptions, startCluster } from '../postgres/embedded.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * The PostgreSQL of a tool alone: a tool that is interrupted ends it before itself. Programs that the tool has started
 * notice that it is gone.
 */
export async function startOwnCluster(options: ClusterOptions): Promise<Cluster> {
  const cluster = await startCluster(options);
  const interrupted = () => void cluster.stop().finally(() => process.exit(130));
  for (const signal of SIGNALS) process.once(signal, interrupted);
  return {
    ...cluster,
    stop() {
      for (const signal of SIGNALS) process.off(signal, interrupted);
      return cluster.stop();
    },
  };
}
