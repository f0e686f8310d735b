import { PROJECT } from '../../src/platform/project.ts';
import { main } from '../support/terminal.ts';
import { slimPackages } from './slim-packages.ts';

// A step of the Dockerfile: the built program works on the tree that it lies in.
await main(() => slimPackages(PROJECT));
