import { Round } from './test/rivals/round.ts';
import { SCENARIOS } from './test/rivals/scenarios.ts';
const [name, seed, from='0', to='9999'] = process.argv.slice(2);
const traders: any[] = [];
const round = new Round(Number(seed));
const orig = round.trader.bind(round);
(round as any).trader = (...a: any[]) => { const t = (orig as any)(...a); traders.push(t); return t; };
const origC = round.copyOf.bind(round);
(round as any).copyOf = (...a: any[]) => { const t = (origC as any)(...a); traders.push(t); return t; };
const told: string[] = [];
const until = round.until.bind(round), pass = round.pass.bind(round);
(round as any).until = (w: string, f: () => boolean, ms?: number) => until(w, () => { note(); return f(); }, ms);
function note() { for (const t of traders) if (t.run) told.push((round.nowMs/1000).toFixed(3) + ' TOLD ' + t.name + ' ' + t.told.slice(0, 300)); }
const out = await round.play(SCENARIOS.find(s => s.name === name)!.play);
const lines: [number, string][] = [];
for (const t of traders) {
  for (const l of t.log) lines.push([Number(l.split(' ')[0]), t.name + ' ' + l.slice(0, 260)]);
  for (const s of t.sent) lines.push([s.atMs/1000, `${t.name} ${(s.atMs/1000).toFixed(3)} SENT ${s.what} ${(s.body??'').slice(0,200)}`]);
}
for (const l of told) lines.push([Number(l.split(' ')[0]), l]);
lines.sort((a, b) => a[0] - b[0]);
for (const [at, l] of lines) if (at >= Number(from) && at <= Number(to)) console.log(l);
console.log(out.drawn, out.miss, out.figures);
