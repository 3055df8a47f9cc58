/*
 * Node opens its debugger when a process gets SIGUSR1, and whoever reaches the debugger reads every secret of the process. A listener takes
 * the signal away from the debugger. `node --inspect` still works. Import this first in every file that starts a process.
 */
process.on('SIGUSR1', () => undefined);
