// Makes the panel quicker. Every page works without it.
