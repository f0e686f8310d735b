import { demoCommand } from './demo/command.ts';
import { runDemo } from './demo/run-demo.ts';
import { prepares } from './support/prepares.ts';
import { main } from './support/terminal.ts';

await main(() => prepares(demoCommand().action(runDemo), { page: true }).parseAsync());
