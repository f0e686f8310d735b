import { Command } from 'commander';
import { apiDocument } from '../src/app.ts';
import { main } from './support/terminal.ts';

const program = new Command('npm run -s openapi --')
  .description('Prints the OpenAPI 3.1 document of the API, as served at /api/v1/openapi.json.')
  .option('--public-url <url>', 'the address of the API for clients', 'http://127.0.0.1:8080')
  .showHelpAfterError()
  .action(({ publicUrl }: { publicUrl: string }) => {
    process.stdout.write(`${JSON.stringify(apiDocument(publicUrl), null, 2)}\n`);
  });

await main(() => program.parseAsync());
