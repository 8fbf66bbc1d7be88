"""The only files, sockets and clocks: texts come in, a snapshot with places goes out."""
