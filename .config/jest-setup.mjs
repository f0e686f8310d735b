// Once before all tests. jest loads this file itself, so tsx reads the TypeScript.
import { tsImport } from 'tsx/esm/api';

export default async function setup() {
  const { startTestCluster, stopTestCluster } = await tsImport('../test/support/cluster.ts', import.meta.url);
  globalThis.stopTestCluster = stopTestCluster;
  await startTestCluster();
}
