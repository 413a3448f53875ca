# The same core compiled for processors with AVX2, BMI and POPCNT; plays.py takes it where the machine has them.
include "_core.pyx"
