include "_core.pxd"
