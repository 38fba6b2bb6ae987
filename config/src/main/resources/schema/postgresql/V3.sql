-- Version 3.
SELECT 1;
