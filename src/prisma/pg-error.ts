export { isForeignKeyViolation, isUniqueViolation as isDuplicate } from './database-error.js';
