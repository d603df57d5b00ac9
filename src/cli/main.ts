import process from 'node:process';
import { EXIT } from '../app/exit-codes.ts';
import { invoke } from './invoke.ts';
import { leaveWhenNobodyReads } from './output.ts';

leaveWhenNobodyReads(EXIT.ok);
process.exitCode = await invoke(process.argv);
