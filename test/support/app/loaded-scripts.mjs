// For `node --import`: writes the addresses of all scripts that V8 has parsed, also WebAssembly, when the process ends.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

const urls = new Set();
const session = new Session();
session.connect();
session.on('Debugger.scriptParsed', ({ params }) => urls.add(params.url));
session.post('Debugger.enable');
process.on('exit', () => writeFileSync(process.env.LOADED_SCRIPTS, JSON.stringify([...urls])));
