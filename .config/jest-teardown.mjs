// Once after all tests, in the process that ran the set-up.
export default async function teardown() {
  await globalThis.stopTestCluster?.();
}
