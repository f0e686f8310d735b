// Keeps one core busy until its standard input ends, which is when whoever started it ends.
process.stdin.on('end', () => process.exit()).resume();
(function work() {
  const untilMs = performance.now() + 50;
  while (performance.now() < untilMs);
  setImmediate(work);
})();
