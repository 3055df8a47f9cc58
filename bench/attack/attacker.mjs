// The hostile tenant. It runs in its own process, so that its work does not delay the measurement of the other tenant.
import { answerParent, options } from '../world/parent.mjs';
import { ATTACKS } from './attacks.mjs';

const attack = ATTACKS.find(({ name }) => name === options.name);

const facts = (await attack.listen?.()) ?? {};
answerParent({ run: (target) => attack.run(target) }, facts);
