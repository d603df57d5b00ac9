import { spawnSync } from 'node:child_process';
import process from 'node:process';

/**
 * Passes each key that is pressed on the terminal. Signals such as Ctrl-C stay with the terminal, which a raw terminal would turn
 * into keys: they must work whatever this process does. Returns a function that gives the terminal back. Without a terminal, or
 * without the program `stty`, nothing happens.
 */
export function onKeys(take: (key: string) => void): () => void {
  const { stdin } = process;
  if (!stdin.isTTY || !setTerminal('-icanon', '-echo')) return () => undefined;
  const restore = (): void => void setTerminal('icanon', 'echo');
  process.once('exit', restore);
  const onData = (chunk: Buffer): void => [...chunk.toString()].forEach(take);
  stdin.on('data', onData);
  return () => {
    stdin.off('data', onData);
    stdin.pause();
    process.off('exit', restore);
    restore();
  };
}

const setTerminal = (...modes: readonly string[]): boolean =>
  spawnSync('stty', [...modes], { stdio: ['inherit', 'ignore', 'ignore'] }).status === 0;
