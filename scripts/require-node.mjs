// Imported first. Old versions of Node must be able to read it: no newer syntax, no import that they do not know.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    'carillon: Carillon needs Node 20.19 or later, and this is Node ' +
      process.versions.node +
      '. Install a newer one from https://nodejs.org',
  );
  process.exit(1);
}
