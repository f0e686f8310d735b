/**
 * CPU milliseconds this process has used, all threads together. Tells what a stage costs also where the machine is
 * busy with other things, which a clock on the wall would count as well.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
