/**
 * The shell blocks of the installation guide. The page marks each block with a name, `<!-- tried: NAME -->`, so the commands
 * that are tried are those that people read.
 */

const BLOCK = /^(?:<!-- tried: (\S+) -->\n+)?```sh\n(.*?)^```$/gms;

/**
 * The commands of each block by its name. A command that continues over lines is one command. Throws an Error if a block has
 * no name, or a name occurs twice.
 */
export function shellBlocks(markdown: string): ReadonlyMap<string, readonly string[]> {
  const blocks = new Map<string, readonly string[]>();
  for (const [, name, body = ''] of markdown.matchAll(BLOCK)) {
    if (name === undefined)
      throw new Error(`a shell block has no mark <!-- tried: NAME --> above it:\n${body}`);
    if (blocks.has(name)) throw new Error(`two shell blocks are marked with the name ${name}`);
    blocks.set(name, commandsOf(body));
  }
  return blocks;
}

function commandsOf(body: string): readonly string[] {
  const lines = body.replaceAll(/\\\n\s*/g, '').split('\n');
  return lines.map((line) => line.replace(/(^|\s+)#\s.*$/, '')).filter((line) => line.trim() !== '');
}
