export { isRowGone as isParentGone, isUniqueViolation } from './database-error.js';
